"""Pages of noticeboards."""
