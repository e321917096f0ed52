"""Noticeboards of games and clubs: topics and replies."""
