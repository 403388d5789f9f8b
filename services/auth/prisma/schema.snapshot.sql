-- What the migrations beside this file amount to. Made by tools/schema-snapshot.mjs; not for execution, do not edit.

CREATE TABLE api_tokens (
  id uuid NOT NULL,
  user_id bigint NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  scopes text[],
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone,
  is_ended_with_sessions boolean NOT NULL,
  ended_at timestamp(3) with time zone,
  CONSTRAINT api_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE classes (
  id text NOT NULL,
  name text NOT NULL,
  group_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  is_deleted_at_end boolean NOT NULL,
  ended_at timestamp(3) with time zone,
  teacher_id bigint,
  CONSTRAINT classes_pkey PRIMARY KEY (id)
);
CREATE TABLE cluster_credentials (
  user_id bigint NOT NULL,
  sealed bytea NOT NULL,
  encryption_key_id text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone,
  CONSTRAINT cluster_credentials_pkey PRIMARY KEY (user_id),
  CONSTRAINT cluster_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE groups (
  id text NOT NULL,
  name text NOT NULL,
  realm_name text,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT groups_pkey PRIMARY KEY (id)
);
CREATE TABLE login_addresses (
  user_id bigint NOT NULL,
  address bytea NOT NULL,
  last_login_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT login_addresses_pkey PRIMARY KEY (user_id, address),
  CONSTRAINT login_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE mails (
  id uuid NOT NULL,
  notice_id text NOT NULL,
  user_id bigint NOT NULL,
  kind text NOT NULL,
  content jsonb,
  picture bytea,
  state text NOT NULL DEFAULT 'waiting'::text,
  created_at timestamp(3) with time zone NOT NULL,
  next_try_at timestamp(3) with time zone NOT NULL,
  try_count integer NOT NULL DEFAULT 0,
  try_id uuid,
  held_until timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  answer text,
  group_id text,
  CONSTRAINT mails_pkey PRIMARY KEY (id),
  CONSTRAINT mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE memberships (
  group_id text NOT NULL,
  user_id bigint NOT NULL,
  role text NOT NULL,
  joined_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT memberships_pkey PRIMARY KEY (group_id, user_id),
  CONSTRAINT memberships_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT memberships_role CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'manager'::text])))
);
CREATE TABLE memberships_version (
  id integer NOT NULL DEFAULT 1,
  version bigint NOT NULL,
  CONSTRAINT memberships_version_pkey PRIMARY KEY (id),
  CONSTRAINT memberships_version_one_row CHECK ((id = 1))
);
CREATE TABLE one_time_links (
  token_hash bytea NOT NULL,
  purpose text NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  email text,
  CONSTRAINT one_time_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT one_time_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE operator_actions (
  id bigint NOT NULL DEFAULT nextval('operator_actions_id_seq'::regclass),
  happened_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  operator_id bigint NOT NULL,
  operator_name text NOT NULL,
  action text NOT NULL,
  target text NOT NULL,
  reason text NOT NULL,
  request_id text NOT NULL,
  is_change boolean NOT NULL,
  failed_action_id bigint,
  failure text,
  CONSTRAINT operator_actions_pkey PRIMARY KEY (id)
);
CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id bigint NOT NULL,
  refresh_token_hash bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  refresh_expires_at timestamp(3) with time zone NOT NULL,
  access_expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  is_operator boolean NOT NULL DEFAULT false,
  is_teacher boolean NOT NULL DEFAULT false,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE signing_keys (
  kid text NOT NULL,
  public_jwk jsonb NOT NULL,
  sealed_private bytea NOT NULL,
  encryption_key_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  signs_from timestamp(3) with time zone NOT NULL,
  verifies_until timestamp(3) with time zone,
  CONSTRAINT signing_keys_pkey PRIMARY KEY (kid)
);
CREATE TABLE throttles (
  scope text NOT NULL,
  subject bytea NOT NULL,
  attempt_count integer NOT NULL,
  window_ends_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT throttles_pkey PRIMARY KEY (scope, subject)
);
CREATE TABLE users (
  id bigint NOT NULL DEFAULT nextval('users_id_seq'::regclass),
  username text NOT NULL,
  provider text NOT NULL,
  display_name text NOT NULL DEFAULT ''::text,
  password_hash text,
  sso_subject text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  email text,
  email_source text,
  blocked_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  class_id text,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_provider_check CHECK ((((provider = 'local'::text) AND (password_hash IS NOT NULL) AND (sso_subject IS NULL)) OR ((provider = 'sso'::text) AND (password_hash IS NULL) AND (sso_subject IS NOT NULL))))
);
CREATE INDEX api_tokens_ended_at_idx ON public.api_tokens USING btree (ended_at);
CREATE INDEX api_tokens_expires_at_idx ON public.api_tokens USING btree (expires_at);
CREATE UNIQUE INDEX api_tokens_token_hash_key ON public.api_tokens USING btree (token_hash);
CREATE INDEX api_tokens_user_id_idx ON public.api_tokens USING btree (user_id);
CREATE INDEX classes_ends_at_idx ON public.classes USING btree (ends_at);
CREATE INDEX cluster_credentials_expires_at_idx ON public.cluster_credentials USING btree (expires_at);
CREATE UNIQUE INDEX groups_realm_name_key ON public.groups USING btree (realm_name);
CREATE INDEX login_addresses_last_login_at_idx ON public.login_addresses USING btree (last_login_at);
CREATE INDEX mails_ended_at_idx ON public.mails USING btree (ended_at);
CREATE UNIQUE INDEX mails_notice_id_key ON public.mails USING btree (notice_id);
CREATE INDEX mails_open ON public.mails USING btree (next_try_at) WHERE (ended_at IS NULL);
CREATE INDEX mails_user_id_idx ON public.mails USING btree (user_id);
CREATE INDEX memberships_user_id_idx ON public.memberships USING btree (user_id);
CREATE INDEX one_time_links_expires_at_idx ON public.one_time_links USING btree (expires_at);
CREATE INDEX one_time_links_user_id_purpose_idx ON public.one_time_links USING btree (user_id, purpose);
CREATE UNIQUE INDEX operator_actions_failed_action_id_key ON public.operator_actions USING btree (failed_action_id);
CREATE INDEX sessions_access_expires_at_idx ON public.sessions USING btree (access_expires_at);
CREATE INDEX sessions_ended_at_idx ON public.sessions USING btree (ended_at);
CREATE UNIQUE INDEX sessions_refresh_token_hash_key ON public.sessions USING btree (refresh_token_hash);
CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);
CREATE UNIQUE INDEX signing_keys_one_without_end ON public.signing_keys USING btree ((true)) WHERE (verifies_until IS NULL);
CREATE INDEX throttles_window_ends_at_idx ON public.throttles USING btree (window_ends_at);
CREATE UNIQUE INDEX users_sso_subject_key ON public.users USING btree (sso_subject);
CREATE UNIQUE INDEX users_username_provider_key ON public.users USING btree (username, provider);
CREATE OR REPLACE FUNCTION public.refuse_change_of_trail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'operator_actions only grows';
END
$function$;
CREATE TRIGGER operator_actions_append_only BEFORE DELETE OR UPDATE ON public.operator_actions FOR EACH ROW EXECUTE FUNCTION refuse_change_of_trail();
CREATE TRIGGER operator_actions_no_truncate BEFORE TRUNCATE ON public.operator_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_trail();
