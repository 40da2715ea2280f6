"""Programs of the workshop: nothing here is installed with Lyra."""
