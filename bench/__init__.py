"""What ``make bench`` runs: measurements, each beside a floor measured in the same run."""
