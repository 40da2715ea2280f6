"""Looking into the graph without changing it: named views, and statements of one's own in a process apart."""
