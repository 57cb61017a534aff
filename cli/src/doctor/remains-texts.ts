/** What a check of a service is about, for people. */
interface RemainsText {
  /** After a number. */
  readonly what: string;
  readonly advice: string;
  /** What a repair has done, where there is one. */
  readonly repaired?: string;
}

const REPAIR = 'Run "stechuhr doctor --repair"';

/** By the name of the check (`Inspection.check`). */
export const remainsTexts: Readonly<Record<string, RemainsText>> = {
  'half-deleted': {
    what: 'documents that were deleted and are still there',
    advice: `${REPAIR}, which removes them.`,
    repaired: 'removed',
  },
  'unpublished-events': {
    what: 'documents with events that wait to be published',
    advice: 'They are published as soon as NATS takes them: see NATS above, and the log of the service.',
  },
  'expired-claims': {
    what: 'claims of processes that are gone',
    advice: `They do no harm: the next sweep takes them over. ${REPAIR} to remove them now.`,
    repaired: 'removed',
  },
  'overdue-tasks': {
    what: 'tasks whose next step nobody has done',
    advice: 'Look at the log of tasks, and whether MongoDB, NATS and S3 are well.',
  },
  'overdue-webhooks': {
    what: 'webhooks whose events nobody sends',
    advice: 'Look at the log of webhooks, and whether MongoDB is well.',
  },
  'lost-files': {
    what: 'finished exports whose file is not in S3',
    advice: `${REPAIR}: they end in error, and clients start them again. After a restore this is to be expected.`,
    repaired: 'ended in error',
  },
  'orphaned-files': { what: 'files of exports that no task has', advice: `${REPAIR}, which removes them.`, repaired: 'removed' },
  'interrupted-writes': {
    what: 'daily reports whose write was interrupted',
    advice: 'The service completes them within a minute: look at its log.',
  },
  'lost-photos': {
    what: 'photos of daily reports that are not in S3',
    advice: `Restore them from a newer copy of uploads/. ${REPAIR} first: it finds those that lie where they were uploaded.`,
    repaired: 'found where they were uploaded',
  },
  'orphaned-photos': {
    what: 'photos that no daily report names',
    advice: `After a restore bring back the entries first. Then ${REPAIR.toLowerCase()}: what no entry names within a week is removed.`,
    repaired: 'removed in a week unless an entry names them',
  },
  'unseen-live-objects': {
    what: 'gaps in the live objects that the database has seen',
    advice: `S3 and MongoDB know nothing of them: have publishers send again what they sent then. ${REPAIR} afterwards, which forgets the gaps.`,
    repaired: 'forgotten',
  },
};
