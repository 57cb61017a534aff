{{/* Exactly the flows of the topology: callers in; peers, servers, telemetry and names out. */}}
{{- define "stechuhr-common.networkPolicy" -}}
{{- $scope := . -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- $ports := include "stechuhr-common.ports" . | fromYaml -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "stechuhr-common.name" . }}
  labels:
    {{- include "stechuhr-common.labels" . | nindent 4 }}
spec:
  podSelector:
    matchExpressions:
      - { key: app.kubernetes.io/instance, operator: In, values: [{{ .root.Release.Name | quote }}] }
      - { key: app.kubernetes.io/component, operator: In, values: [{{ .service.name }}, {{ .service.name }}-prepare] }
  policyTypes: [Ingress, Egress]
  ingress:
    {{- include "stechuhr-common.ingressRules" . | trim | default "[]" | nindent 4 }}
  egress:
    {{- include "stechuhr-common.namesEgress" . | nindent 4 }}
    {{- range .service.calls }}
    - to:
        - podSelector:
            matchLabels:
              {{- include "stechuhr-common.selectorLabels" (dict "root" $scope.root "service" (dict "name" .)) | nindent 14 }}
      ports:
        - port: {{ $ports.grpc }}
    {{- end }}
    {{- range .service.needs }}
    {{- include "stechuhr-common.serverEgress" (dict "root" $scope.root "server" .) | nindent 4 }}
    {{- end }}
    {{- if .root.Values.telemetry.otlpEndpoint }}
    - to:
        {{- toYaml $policy.collector | nindent 8 }}
      ports:
        {{- range $policy.collectorPorts }}
        - port: {{ . }}
        {{- end }}
    {{- end }}
    {{- if has .service.name ($policy.publicInternet | default list) }}
    - to:
        - ipBlock:
            cidr: 0.0.0.0/0
            except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
        - ipBlock: { cidr: '2000::/3' }
      ports:
        - port: 443
        - { port: 1024, endPort: 65535 }
    {{- end }}
    {{- with .settings.egress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "stechuhr-common.ingressRules" -}}
{{- $scope := . -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- $ports := include "stechuhr-common.ports" . | fromYaml -}}
{{- range .service.callers }}
- from:
    - podSelector:
        matchLabels:
          {{- include "stechuhr-common.selectorLabels" (dict "root" $scope.root "service" (dict "name" .)) | nindent 10 }}
  ports:
    - port: {{ $ports.grpc }}
{{- end }}
{{- if and .service.openMethods $policy.clients }}
- from:
    {{- toYaml $policy.clients | nindent 4 }}
  ports:
    - port: {{ $ports.grpc }}
{{- end }}
{{- if eq .service.serves "http" }}
- from:
    {{- toYaml $policy.ingressController | nindent 4 }}
    - podSelector:
        matchLabels:
          {{- include "stechuhr-common.selectorLabels" (dict "root" .root "service" (dict "name" "helm-test")) | nindent 10 }}
  ports:
    - port: {{ $ports.http }}
{{- end }}
{{- if .root.Values.toolbox.enabled }}
# `stechuhr doctor` asks everybody how it is.
- from:
    - podSelector:
        matchLabels:
          {{- include "stechuhr-common.selectorLabels" (dict "root" .root "service" (dict "name" "toolbox")) | nindent 10 }}
  ports:
    - port: {{ $ports.admin }}
    {{- if eq .service.serves "http" }}
    - port: {{ $ports.http }}
    {{- end }}
{{- end }}
{{- if .root.Values.monitoring.enabled }}
- from:
    {{- toYaml $policy.monitoring | nindent 4 }}
  ports:
    - port: {{ $ports.admin }}
{{- end }}
{{- end -}}

{{- define "stechuhr-common.namesEgress" -}}
- to:
    {{- toYaml .root.Values.networkPolicy.dns | nindent 4 }}
  ports:
    {{- range .root.Values.networkPolicy.dnsPorts }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end -}}

{{/* To a server of this release, or to where the values say that it is. */}}
{{- define "stechuhr-common.serverEgress" -}}
{{- $component := get (dict "mongodb" "mongodb" "nats" "nats" "redis" "redis" "s3" "minio") .server -}}
- to:
    {{- if .root.Values.infrastructure.enabled }}
    - podSelector:
        matchLabels:
          {{- include "stechuhr-common.selectorLabels" (dict "root" .root "service" (dict "name" $component)) | nindent 10 }}
    {{- else }}
    {{- toYaml (get .root.Values.networkPolicy.servers .server).to | nindent 4 }}
    {{- end }}
  ports:
    {{- if .root.Values.infrastructure.enabled }}
    - port: {{ get (dict "mongodb" 27017 "nats" 4222 "redis" 6379 "s3" 9000) .server }}
    {{- else }}
    {{- range (get .root.Values.networkPolicy.servers .server).ports }}
    - port: {{ . }}
    {{- end }}
    {{- end }}
{{- end -}}
