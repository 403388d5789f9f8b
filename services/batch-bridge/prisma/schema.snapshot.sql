-- What the migrations beside this file amount to. Made by tools/schema-snapshot.mjs; not for execution, do not edit.

CREATE TABLE clusters (
  id bigint NOT NULL DEFAULT nextval('clusters_id_seq'::regclass),
  name text NOT NULL,
  settings jsonb NOT NULL,
  "position" integer,
  check_started_at timestamp(3) with time zone,
  checked_at timestamp(3) with time zone,
  unavailability text,
  CONSTRAINT clusters_pkey PRIMARY KEY (id),
  CONSTRAINT clusters_unavailability_known CHECK ((unavailability = ANY (ARRAY['HOST_KEY_CHANGED'::text, 'CLUSTER_UNREACHABLE'::text]))),
  CONSTRAINT clusters_unavailability_was_found CHECK (((unavailability IS NULL) OR (checked_at IS NOT NULL)))
);
CREATE UNIQUE INDEX clusters_name_key ON public.clusters USING btree (name);
