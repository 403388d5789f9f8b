{{/*
Applies the pending migrations of a service's database. Before its pods are replaced: old code runs on the new schema.
A hook; in a trial, where the database comes with the release, a plain job that is repeated until the database is there.
Safe to run twice and at the same time (the engine takes a lock).
*/}}
{{- define "tally.migrateJob" -}}
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
  activeDeadlineSeconds: {{ .root.Values.migrate.timeoutSeconds }}
  template:
    metadata:
      labels: {{- include "tally.podLabels" $job | nindent 8 }}
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
      containers:
        - name: migrate
          image: {{ include "tally.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [tools/migrate-deploy.mjs, prisma/migrations]
          securityContext: {{- include "tally.containerSecurity" . | nindent 12 }}
          env:
            - name: DATABASE_URL
              valueFrom:
                secretKeyRef: { name: {{ include "tally.secretName" . }}, key: database-url }
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits: { memory: 512Mi }
{{- end }}

{{- define "tally.migrateNetworkPolicy" -}}
{{- $job := dict "root" .root "service" (printf "%s-migrate" .service) -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "tally.name" $job }}
  labels: {{- include "tally.labels" $job | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "tally.selector" $job | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress:
    {{- include "tally.egressToNames" . | nindent 4 }}
    {{- include "tally.egressToServer" (dict "root" .root "service" "trial-postgresql" "ports" (list .root.Values.networkPolicy.databasePort)) | nindent 4 }}
{{- end }}
