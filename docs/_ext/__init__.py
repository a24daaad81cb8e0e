"""Extensions of Sphinx that build the site of the documentation."""
