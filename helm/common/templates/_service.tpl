{{/* Headless for gRPC: clients see every pod and share the load between them; an ordinary one for HTTP. */}}
{{- define "stechuhr-common.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "stechuhr-common.name" . }}
  labels:
    {{- include "stechuhr-common.labels" . | nindent 4 }}
spec:
  {{- if ne .service.serves "http" }}
  clusterIP: None
  {{- end }}
  selector:
    {{- include "stechuhr-common.selectorLabels" . | nindent 4 }}
  ports:
    {{- with include "stechuhr-common.servingPort" . }}
    - name: {{ $.service.serves }}
      port: {{ . }}
      targetPort: {{ $.service.serves }}
      appProtocol: {{ ternary "kubernetes.io/h2c" "http" (eq $.service.serves "grpc") }}
    {{- end }}
    - name: admin
      port: {{ get (include "stechuhr-common.ports" . | fromYaml) "admin" }}
      targetPort: admin
{{- end -}}
