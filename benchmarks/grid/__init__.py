"""What a round of every policy of the catalogue costs: `python -m benchmarks grid`."""
