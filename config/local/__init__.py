"""What only a site on one machine has: mails as files, and a page that lists them."""
