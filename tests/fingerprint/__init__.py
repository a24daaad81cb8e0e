"""What every policy played, in which world, before it was touched: arms and regrets, on record."""
