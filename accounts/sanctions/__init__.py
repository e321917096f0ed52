"""What moderators impose on accounts: warnings, mutes, suspensions and bans, with appeals."""
