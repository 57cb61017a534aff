import { createDenyListAttributesProcessor, type ViewOptions } from '@opentelemetry/sdk-metrics';

/** Institutions choose the hosts of their webhooks, so hosts as labels would have any number of values. */
const outgoingRequests: ViewOptions = {
  instrumentName: 'http.client.request.duration',
  attributesProcessors: [createDenyListAttributesProcessor(['server.address', 'server.port'])],
};

/**
 * The gateway names 5,000 institutions, each with up to five status classes. By default the SDK keeps 2,000 combinations of labels, and counts the
 * others as one that names no institution.
 */
const tenantRequests: ViewOptions = { instrumentName: 'stechuhr.tenant.requests', aggregationCardinalityLimit: 30_000 };

/** How metrics differ from what their instruments define. */
export const views: readonly ViewOptions[] = [outgoingRequests, tenantRequests];
