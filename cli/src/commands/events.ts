import type { Command } from 'commander';
import type { EventOptions } from '../events/event-query.js';
import { collect } from '../collect.js';
import { runCommand } from '../run-command.js';

const TAIL_EXAMPLES = `
Shows events as they happen, until Ctrl-C; with --since, earlier ones first. --json prints the events as JSON, one per line.

Examples:
  $ stechuhr events tail
  $ stechuhr events tail --type tasks --type exports.export.ran
  $ stechuhr events tail --since 10m --json | jq -r .type`;

const REPLAY_EXAMPLES = `
Prints the stored events (14 days), one JSON object per line. Nothing is sent again, and consumers are not affected.

Examples:
  $ stechuhr events replay --since 2h > events.ndjson
  $ stechuhr events replay --type records.employee --institution 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11
  $ stechuhr events replay --type '*.*.deleted' --since 2026-05-01T08:00:00Z | jq -r .data.id

Exit code 0: all were printed. 1: the command was interrupted, or the platform is unavailable. 2: wrong usage.`;

export function registerEvents(program: Command): void {
  const events = program.command('events').description('watch and read the events of the platform');
  withFilters(events.command('tail').description('show events as they happen'))
    .addHelpText('after', TAIL_EXAMPLES)
    .action((options: EventOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../events/run-events.js')).runTail(options, output)),
    );
  withFilters(events.command('replay').description('print stored events as NDJSON'))
    .addHelpText('after', REPLAY_EXAMPLES)
    .action((options: EventOptions, command: Command) =>
      runCommand(command, async () => (await import('../events/run-events.js')).runReplay(options)),
    );
}

function withFilters(command: Command): Command {
  return command
    .option('--type <type>', 'for example records.employee.changed, or a prefix of it; may be repeated', collect, [])
    .option('--institution <uuid>', 'only events of this institution')
    .option('--since <when>', 'from this time on: an age (30m, 2h, 14d) or an instant in UTC (2026-05-01T08:00:00Z)');
}
