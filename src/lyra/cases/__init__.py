"""Cases: described events with an outcome, their claims and sources, and the labels several people can agree on."""
