"""Gates: small programs that refuse a tree which breaks a promise. Each exits 0 when the promise is kept, 1 when it is broken."""
