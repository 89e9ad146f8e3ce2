"""The two autoencoders: anchored on PCA, and linear."""
