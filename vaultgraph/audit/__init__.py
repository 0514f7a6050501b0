"""Audits: a sample drawn by a rule fixed beforehand, and what it allows one to say."""
