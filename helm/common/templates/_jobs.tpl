{{/*
Creates indexes, and that of tasks streams and consumers, before the new version serves; the first installation does it by itself. It asks servers only: other services
may be of the old version, and what this upgrade brings (certificates, policies) is not there yet.
*/}}
{{- define "stechuhr-common.prepareJob" -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "stechuhr-common.name" . }}-prepare
  labels:
    {{- include "stechuhr-common.labels" . | nindent 4 }}
  annotations:
    helm.sh/hook: pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: 3
  # Below Helm's own patience (--timeout): it then says which job failed, and nothing runs on behind its back.
  activeDeadlineSeconds: {{ int .root.Values.prepareDeadlineSeconds }}
  template:
    metadata:
      labels:
        {{- include "stechuhr-common.labels" (dict "root" .root "service" (dict "name" (printf "%s-prepare" .service.name))) | nindent 8 }}
    spec:
      {{- include "stechuhr-common.podBasics" . | nindent 6 }}
      restartPolicy: Never
      containers:
        - name: prepare
          image: {{ include "stechuhr-common.image" . | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [--import, "@stechuhr/service/telemetry", main.js, prepare]
          env:
            {{- include "stechuhr-common.environment" . | nindent 12 }}
          resources:
            {{- toYaml .settings.resources | nindent 12 }}
          securityContext:
            {{- include "stechuhr-common.securityContext" . | nindent 12 }}
          volumeMounts:
            {{- include "stechuhr-common.basicVolumeMounts" . | nindent 12 }}
      volumes:
        {{- include "stechuhr-common.basicVolumes" . | nindent 8 }}
{{- end -}}
