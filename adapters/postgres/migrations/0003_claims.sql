-- Several rows are claimed at once, by who steps over none that is held.
ALTER TABLE aion_queue ADD COLUMN done integer NOT NULL DEFAULT 0; -- how far it had got when its failures were last forgotten

DROP INDEX aion_queue_due, aion_queue_held, aion_queue_owner;
CREATE INDEX aion_queue_due ON aion_queue (priority DESC, due) WHERE owner IS NULL AND due IS NOT NULL;
CREATE INDEX aion_queue_held ON aion_queue (tenant, lease) WHERE owner IS NOT NULL;

-- Workers are told of runs that are due. Who limits tenants listens for those that stop, too.
CREATE OR REPLACE FUNCTION aion_queue_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.owner IS NULL AND NEW.due <= now() THEN
		PERFORM pg_notify('aion_due', '');
	ELSIF OLD.owner IS NOT NULL AND NEW.owner IS NULL THEN -- also if the run has ended
		PERFORM pg_notify('aion_stopped', encode(OLD.run, 'hex'));
	END IF;
	RETURN NULL;
END $$;
