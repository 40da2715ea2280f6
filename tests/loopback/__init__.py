"""Servers on this machine that speak the formats of the real services, so that no test needs the network."""
