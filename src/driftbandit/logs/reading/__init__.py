"""Where the rows of a log come from: files, any data frame, and the layouts of other programs."""
