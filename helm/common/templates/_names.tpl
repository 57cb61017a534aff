{{/* Every template here takes a dict: root (the chart's scope) and, where it is about one, service (its line of the topology). */}}

{{- define "stechuhr-common.fullname" -}}
{{- $release := .root.Release.Name -}}
{{- ternary $release (printf "%s-stechuhr" $release) (contains "stechuhr" $release) | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "stechuhr-common.name" -}}
{{ include "stechuhr-common.fullname" . }}-{{ .service.name }}
{{- end -}}

{{- define "stechuhr-common.selectorLabels" -}}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .service.name | quote }}
{{- end -}}

{{- define "stechuhr-common.releaseLabels" -}}
app.kubernetes.io/part-of: stechuhr
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "stechuhr-common.labels" -}}
app.kubernetes.io/name: {{ .service.name | quote }}
{{ include "stechuhr-common.selectorLabels" . }}
{{ include "stechuhr-common.releaseLabels" . }}
{{- end -}}

{{- define "stechuhr-common.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s/%s" $image.repository .service.name -}}
{{- with $image.registry }}{{ $name = printf "%s/%s" . $name }}{{ end -}}
{{- if hasKey ($image.references | default dict) .service.name -}}
{{ get $image.references .service.name }}
{{- else if hasKey ($image.digests | default dict) .service.name -}}
{{ $name }}@{{ get $image.digests .service.name }}
{{- else -}}
{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* A value as text. A number of a file of values is a floating one, which Go writes as 1e+07. */}}
{{- define "stechuhr-common.text" -}}
{{ ternary (toJson .) (toString .) (kindIs "float64" .) }}
{{- end -}}

{{/* RECORDS of records, DAILY_REPORTS of daily-reports. */}}
{{- define "stechuhr-common.variable" -}}
{{ . | upper | replace "-" "_" }}
{{- end -}}
