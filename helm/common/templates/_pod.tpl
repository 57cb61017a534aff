{{/* Of a pod: takes no rights that it does not use. */}}
{{- define "stechuhr-common.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "stechuhr-common.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: {{ not .root.Values.writableContainers }}
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "stechuhr-common.temporaryVolume" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- end -}}

{{- define "stechuhr-common.temporaryMount" -}}
- name: tmp
  mountPath: /tmp
{{- end -}}

{{- define "stechuhr-common.volumes" -}}
{{ include "stechuhr-common.temporaryVolume" . }}
{{- if .root.Values.mtls.enabled }}
- name: tls
  secret:
    secretName: {{ include "stechuhr-common.tlsSecret" . }}
    # 0440
    defaultMode: 288
{{- end }}
{{- end -}}

{{- define "stechuhr-common.volumeMounts" -}}
{{ include "stechuhr-common.temporaryMount" . }}
{{- if .root.Values.mtls.enabled }}
- name: tls
  mountPath: /etc/stechuhr/tls
  readOnly: true
{{- end }}
{{- end -}}

{{/* What all pods of the release share, hooks too. */}}
{{- define "stechuhr-common.podBasics" -}}
serviceAccountName: {{ include "stechuhr-common.fullname" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "stechuhr-common.podSecurityContext" . | nindent 2 }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
