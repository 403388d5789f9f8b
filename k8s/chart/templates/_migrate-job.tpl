{{/*
Applies the pending migrations of a service's database. Before its pods are replaced: old code runs on the new schema.
A hook; in a trial, where the database comes with the release, a plain job that is repeated until the database is there.
Safe to run twice and at the same time (the engine takes a lock).
*/}}
{{- define "tally.migrateJob" -}}
{{- /* else the job waits for it until helm gives up */ -}}
{{- with include "tally.missingSecrets" (dict "root" .root "service" .service "keys" (list "database-url")) -}}
{{- fail (printf "a Secret is missing (node tools/k8s-secrets.mjs, docs/operators-guide.md):%s" .) -}}
{{- end -}}
{{- $job := dict "root" .root "service" (printf "%s-migrate" .service) -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "tally.name" $job }}{{ if .root.Values.trial.enabled }}-{{ .root.Release.Revision }}{{ end }}
  labels: {{- include "tally.labels" $job | nindent 4 }}
  {{- if not .root.Values.trial.enabled }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: "0"
    helm.sh/hook-delete-policy: before-hook-creation
  {{- end }}
spec:
  backoffLimit: 10
  {{- if semverCompare ">=1.26-0" .root.Capabilities.KubeVersion.Version }}
  podFailurePolicy:
    rules:
      # tools/migrate-deploy.mjs: no repeat would help; anything else is repeated, such as a database that cannot be reached
      - action: FailJob
        onExitCodes: { containerName: migrate, operator: In, values: [3] }
  {{- end }}
  activeDeadlineSeconds: {{ .root.Values.migrate.timeoutSeconds }}
  template:
    metadata:
      labels: {{- include "tally.podLabels" $job | nindent 8 }}
        {{- with include "tally.extraLabels" . | trim }}{{ . | nindent 8 }}{{ end }}
      {{- with (include "tally.podValue" (merge (dict "key" "podAnnotations") .) | fromJson).value }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      restartPolicy: Never
      # the service's account does not exist yet before an installation; none is needed
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext: {{- include "tally.podSecurity" . | nindent 8 }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets: {{- range . }}
        - name: {{ . }}
      {{- end }}
      {{- end }}
      {{- with include "tally.placement" . | trim }}{{ . | nindent 6 }}{{ end }}
      containers:
        - name: migrate
          image: {{ include "tally.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [tools/migrate-deploy.mjs, prisma/migrations]
          securityContext: {{- include "tally.containerSecurity" . | nindent 12 }}
          env:
            {{- with include "tally.extraEnv" . | trim }}{{ . | nindent 12 }}{{ end }}
            - name: DATABASE_URL
              valueFrom:
                secretKeyRef: {{ include "tally.secretRef" (merge (dict "key" "database-url") .) }}
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits: { memory: 512Mi }
          {{- with include "tally.extraMounts" . | trim }}
          volumeMounts: {{- . | nindent 12 }}
          {{- end }}
      {{- with include "tally.extraVolumes" . | trim }}
      volumes: {{- . | nindent 8 }}
      {{- end }}
{{- end }}

{{- define "tally.migrateNetworkPolicy" -}}
{{- $job := dict "root" .root "service" (printf "%s-migrate" .service) -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "tally.name" $job }}
  labels: {{- include "tally.labels" $job | nindent 4 }}
  {{- if not .root.Values.trial.enabled }}
  annotations:
    # before the job, which a namespace that denies all by default would keep from its database
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: "-1"
    helm.sh/hook-delete-policy: before-hook-creation
  {{- end }}
spec:
  podSelector:
    matchLabels: {{- include "tally.selector" $job | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress:
    {{- include "tally.egressToNames" . | nindent 4 }}
    {{- include "tally.egressToDatabase" . | nindent 4 }}
{{- end }}
