"""What moderators impose on accounts: warnings, mutes, suspensions, bans; and appeals."""
