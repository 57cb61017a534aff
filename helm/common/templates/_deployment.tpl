{{/* Takes root, service, settings (values of this service). */}}
{{- define "stechuhr-common.deployment" -}}
{{- $ports := include "stechuhr-common.ports" . | fromYaml -}}
{{- $goesAfter := ternary .root.Values.dnsCacheSeconds 0 (eq .service.serves "grpc") | add 5 -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "stechuhr-common.name" . }}
  labels:
    {{- include "stechuhr-common.labels" . | nindent 4 }}
spec:
  {{- if not (or .settings.autoscaling.enabled .settings.keda.enabled) }}
  replicas: {{ .settings.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  selector:
    matchLabels:
      {{- include "stechuhr-common.selectorLabels" . | nindent 6 }}
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  template:
    metadata:
      labels:
        {{- include "stechuhr-common.labels" . | nindent 8 }}
      annotations:
        {{- include "stechuhr-common.podAnnotations" . | nindent 8 }}
    spec:
      {{- include "stechuhr-common.podBasics" . | nindent 6 }}
      # Longer than a service takes to force-stop itself (25 s, those that downloads come from so long after their drain), plus the time before it
      # gets the signal.
      terminationGracePeriodSeconds: {{ ternary (add .root.Values.drainSeconds 15) 15 (dig "drains" false .service) | int | add $goesAfter 20 }}
      # In an upgrade the pods that are about to go do not count, or both new ones may end on one node.
      {{- include "stechuhr-common.spread" (merge (dict "byRevision" true) .) | nindent 6 }}
      containers:
        - name: {{ .service.name }}
          image: {{ include "stechuhr-common.image" . | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          env:
            {{- include "stechuhr-common.environment" . | nindent 12 }}
            {{- include "stechuhr-common.identity" . | nindent 12 }}
          ports:
            - { name: admin, containerPort: {{ $ports.admin }} }
            {{- if eq .service.serves "grpc" }}
            - { name: grpc, containerPort: {{ $ports.grpc }} }
            - { name: health, containerPort: {{ $ports.health }} }
            {{- else if eq .service.serves "http" }}
            - { name: http, containerPort: {{ $ports.http }} }
            {{- end }}
          {{- include "stechuhr-common.probes" . | nindent 10 }}
          lifecycle:
            preStop:
              # Until nobody sends anything new: proxies hear at once that the pod is going, clients of gRPC when DNS says so.
              sleep:
                seconds: {{ $goesAfter }}
          resources:
            {{- toYaml .settings.resources | nindent 12 }}
          securityContext:
            {{- include "stechuhr-common.securityContext" . | nindent 12 }}
          volumeMounts:
            {{- include "stechuhr-common.volumeMounts" . | nindent 12 }}
      volumes:
        {{- include "stechuhr-common.volumes" . | nindent 8 }}
{{- end -}}

{{/* gRPC where the service speaks it (on a port of its own: the kubelet has no client certificate), HTTP elsewhere. */}}
{{- define "stechuhr-common.probes" -}}
{{- $ports := include "stechuhr-common.ports" . | fromYaml -}}
startupProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 2
  timeoutSeconds: 3
  # A node that starts everything at once is slow, not broken.
  failureThreshold: 90
livenessProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  {{- if eq .service.serves "grpc" }}
  grpc: { port: {{ $ports.health }} }
  {{- else }}
  httpGet: { path: /readyz, port: admin }
  {{- end }}
  periodSeconds: 5
  timeoutSeconds: 3
{{- end -}}
