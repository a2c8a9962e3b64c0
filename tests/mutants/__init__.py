"""Wrong mechanisms, each wrong in one way that has occurred or could, and the honest one that they are made from."""
