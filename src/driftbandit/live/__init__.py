"""The live agent: choose now, learn when the reward comes."""
