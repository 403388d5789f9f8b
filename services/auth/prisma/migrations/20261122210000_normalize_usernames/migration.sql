-- User names are compared in their normalized form (NFKC, no blanks around them). Those that are another user's then stay as they
-- are: their users log in by typing them exactly so. Only UTF-8 databases can normalize; in another one all stay as they are.
UPDATE "users" SET "username" = named.normalized
FROM (
    SELECT "id", btrim(normalize("username", NFKC)) AS normalized,
        count(*) OVER (PARTITION BY "provider", btrim(normalize("username", NFKC))) AS user_count
    FROM "users" WHERE getdatabaseencoding() = 'UTF8'
) named
WHERE "users"."id" = named."id" AND named.user_count = 1 AND named.normalized NOT IN ("users"."username", '');
