-- A row for each run that has not ended. Who holds one is alive until its lease ends.
CREATE TABLE aion_queue (
	run      bytea   PRIMARY KEY,
	tenant   bytea   NOT NULL,
	priority integer NOT NULL,
	due      timestamptz,                 -- a worker is to go on with it from then on; NULL is not before it was told something
	news     bigint  NOT NULL DEFAULT 0,  -- how often it was told something
	failures integer NOT NULL DEFAULT 0,  -- one after the other
	owner    text,                        -- who holds it: a worker, for once
	lease    timestamptz,                 -- until then
	error    text                         -- why somebody should look
);

CREATE INDEX aion_queue_due ON aion_queue (priority DESC, due) WHERE due IS NOT NULL;
CREATE INDEX aion_queue_held ON aion_queue (tenant) WHERE owner IS NOT NULL;
CREATE INDEX aion_queue_owner ON aion_queue (owner) WHERE owner IS NOT NULL;

CREATE FUNCTION aion_queue_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.owner IS NULL AND NEW.due <= now() THEN
		PERFORM pg_notify('aion_due', '');
	ELSIF OLD.owner IS NOT NULL AND NEW.owner IS NULL THEN -- also if the run has ended
		PERFORM pg_notify('aion_stopped', encode(OLD.run, 'hex')), pg_notify('aion_due', ''); -- its tenant may have another
	END IF;
	RETURN NULL;
END $$;

CREATE TRIGGER aion_queue_tell AFTER INSERT OR DELETE OR UPDATE OF due, owner ON aion_queue
	FOR EACH ROW EXECUTE FUNCTION aion_queue_tell();
