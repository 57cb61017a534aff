{{/* Takes byRevision as well: whether each revision is spread by itself. */}}
{{- define "stechuhr-common.spread" -}}
{{- $scope := . -}}
topologySpreadConstraints:
  {{- range .root.Values.topologyKeys | default (list "kubernetes.io/hostname") }}
  - maxSkew: 1
    topologyKey: {{ . | quote }}
    whenUnsatisfiable: ScheduleAnyway
    {{- if $scope.byRevision }}
    matchLabelKeys: [pod-template-hash]
    {{- end }}
    labelSelector:
      matchLabels:
        {{- include "stechuhr-common.selectorLabels" $scope | nindent 8 }}
  {{- end }}
{{- end -}}

{{- define "stechuhr-common.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "stechuhr-common.name" . }}
  labels:
    {{- include "stechuhr-common.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "stechuhr-common.selectorLabels" . | nindent 6 }}
{{- end -}}

{{- define "stechuhr-common.horizontalPodAutoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "stechuhr-common.name" . }}
  labels:
    {{- include "stechuhr-common.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "stechuhr-common.name" . }}
  minReplicas: {{ .settings.autoscaling.minReplicas }}
  maxReplicas: {{ .settings.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .settings.autoscaling.cpuPercent }}
  behavior:
    scaleDown:
      # An export holds its connection for minutes.
      stabilizationWindowSeconds: 300
{{- end -}}

{{/* The worker has as many pods as there are jobs waiting for one. */}}
{{- define "stechuhr-common.scaledObject" -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ include "stechuhr-common.name" . }}
  labels:
    {{- include "stechuhr-common.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    name: {{ include "stechuhr-common.name" . }}
  minReplicaCount: {{ .settings.keda.minReplicas }}
  maxReplicaCount: {{ .settings.keda.maxReplicas }}
  cooldownPeriod: 300
  triggers:
    - type: nats-jetstream
      metadata:
        natsServerMonitoringEndpoint: {{ include "stechuhr-common.natsMonitor" . | quote }}
        account: {{ include "stechuhr-common.natsAccount" . | quote }}
        stream: {{ .service.scaledBy.stream }}
        consumer: {{ .service.scaledBy.durable }}
        lagThreshold: {{ .settings.keda.jobsPerReplica | quote }}
        activationLagThreshold: "0"
{{- end -}}
