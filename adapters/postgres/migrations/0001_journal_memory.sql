-- IDs of runs, keys and statuses are bytes, for a text has no NUL. JSON is text: it
-- was checked before, comes back as it was, and tells its size without being read.

CREATE TABLE aion_journal (
	run     bytea  PRIMARY KEY,
	entries bigint NOT NULL,          -- how many there are; none if it was deleted
	status  bytea  NOT NULL,          -- of the last one, as are those that follow
	at      text   COLLATE "C" NOT NULL, -- all of one length, with nanoseconds
	last    text   NOT NULL           -- as in aion_entries
);

CREATE INDEX aion_journal_at ON aion_journal (at DESC, run);

CREATE TABLE aion_entries (
	run   bytea  NOT NULL,
	n     bigint NOT NULL,
	entry text   NOT NULL,            -- JSON, without its data
	data  text   NOT NULL,            -- JSON; empty if there is none
	PRIMARY KEY (run, n)
);

CREATE TABLE aion_memory (
	key   bytea PRIMARY KEY,
	value text  NOT NULL              -- JSON
);
