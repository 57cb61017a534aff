{{- define "stechuhr-common.serviceMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ include "stechuhr-common.name" . }}
  labels:
    {{- include "stechuhr-common.labels" . | nindent 4 }}
    {{- with .root.Values.monitoring.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- include "stechuhr-common.selectorLabels" . | nindent 6 }}
  endpoints:
    - port: admin
      path: /metrics
      interval: {{ .root.Values.monitoring.interval }}
      relabelings:
        # The name that dashboards and alerts know a service by.
        - targetLabel: job
          replacement: {{ .service.name }}
        # Of two releases in a namespace, whose it is.
        - targetLabel: release
          replacement: {{ .root.Release.Name | quote }}
{{- end -}}
