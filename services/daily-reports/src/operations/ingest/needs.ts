import type { DeletionMarkers, ReferenceLookup } from '@stechuhr/ingest';
import type { People, Ports } from '../ports.js';
import type { Tenant } from '../tenant.js';

/** What judging and writing lines needs. */
export interface IngestNeeds extends Ports {
  readonly references: ReferenceLookup;
  readonly markers: DeletionMarkers;
  peopleOf(tenant: Tenant): People;
}
