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

{{/* Of every program of the release, jobs too: a place to write, and authorities that it trusts besides those of Node. */}}
{{- define "stechuhr-common.basicVolumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- with .root.Values.extraAuthorities.existingSecret }}
- name: authorities
  secret:
    secretName: {{ . | quote }}
    # 0440
    defaultMode: 288
{{- end }}
{{- end -}}

{{- define "stechuhr-common.basicVolumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .root.Values.extraAuthorities.existingSecret }}
- name: authorities
  mountPath: /etc/stechuhr/authorities
  readOnly: true
{{- end }}
{{- end -}}

{{- define "stechuhr-common.volumes" -}}
{{ include "stechuhr-common.basicVolumes" . }}
{{- if .root.Values.mtls.enabled }}
- name: tls
  secret:
    secretName: {{ include "stechuhr-common.tlsSecret" . | quote }}
    # 0440
    defaultMode: 288
{{- end }}
{{- end -}}

{{- define "stechuhr-common.volumeMounts" -}}
{{ include "stechuhr-common.basicVolumeMounts" . }}
{{- if .root.Values.mtls.enabled }}
- name: tls
  mountPath: /etc/stechuhr/tls
  readOnly: true
{{- end }}
{{- end -}}

{{/* Of pods that go on running: they read their settings once, when they start, so that other settings make other pods. */}}
{{- define "stechuhr-common.podAnnotations" -}}
checksum/secrets: {{ include (print .root.Template.BasePath "/secrets.yaml") .root | sha256sum }}
{{- with .root.Values.podAnnotations }}
{{ toYaml . }}
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
  - name: {{ . | quote }}
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
