/** Texts for the result of one inspection of a service. */
interface InspectionText {
  /** Follows the number of what was found. */
  readonly what: string;
  readonly advice: string;
  /** What a repair did, for inspections that can repair. */
  readonly repaired?: string;
}

const REPAIR = 'Run "stechuhr doctor --repair"';

/** By the name of the inspection (`Inspection.check`). */
export const inspectionTexts: Readonly<Record<string, InspectionText>> = {
  'half-deleted': {
    what: 'documents that were deleted and are still there',
    advice: `${REPAIR}, which removes them.`,
    repaired: 'removed',
  },
  'unpublished-events': {
    what: 'documents with events that wait to be published',
    advice: 'They are published as soon as NATS accepts them: see the finding about NATS, and the log of the service.',
  },
  'expired-claims': {
    what: 'claims of processes that no longer exist',
    advice: `They do no harm: the next sweep takes them over. To remove them now, ${REPAIR.toLowerCase()}.`,
    repaired: 'removed',
  },
  'overdue-tasks': {
    what: 'tasks whose next step is overdue',
    advice: 'Read the log of tasks, and check MongoDB, NATS and S3.',
  },
  'overdue-webhooks': {
    what: 'webhooks whose events are overdue',
    advice: 'Read the log of webhooks, and check MongoDB.',
  },
  'lost-files': {
    what: 'finished exports whose file is not in S3',
    advice: `${REPAIR}: it sets them to error, so that clients start them again. This is expected after a restore.`,
    repaired: 'set to error',
  },
  'orphaned-files': { what: 'export files without a task', advice: `${REPAIR}, which removes them.`, repaired: 'removed' },
  'interrupted-writes': {
    what: 'daily reports whose write was interrupted',
    advice: 'The service completes them within a minute. If it does not, read its log.',
  },
  'lost-photos': {
    what: 'photos of daily reports that are not in S3',
    advice: `${REPAIR}: it finds those that are still under the key of their upload. Restore the others from a newer copy of uploads/.`,
    repaired: 'found under the key of their upload',
  },
  'orphaned-photos': {
    what: 'photos that no daily report references',
    advice: `After a restore, bring back the entries first. Then ${REPAIR.toLowerCase()}: photos that no entry references within a week are removed.`,
    repaired: 'will be removed in a week unless an entry references them',
  },
  'unseen-live-objects': {
    what: 'gaps in the sequence of live objects that the database has seen',
    advice: `They are in neither MongoDB nor S3: have the publishers send again what they sent then. Afterwards ${REPAIR.toLowerCase()}, which forgets the gaps.`,
    repaired: 'forgotten',
  },
};
