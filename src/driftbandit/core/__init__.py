"""What every room stands on: values, errors, files, random streams, numerics, lanes."""
