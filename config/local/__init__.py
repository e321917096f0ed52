"""Parts of a site on one machine only: mails as files, and pages that show them."""
