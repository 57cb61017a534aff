import type { Command } from 'commander';

/** The shells for which a completion script can be generated. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** The words that may follow `path`, the command without the program's name. */
interface Words {
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  /** Allowed values of its arguments. */
  readonly choices: readonly string[];
  readonly options: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly description: string;
}

/** The option whose values are the existing accounts. */
const ACCOUNT = '--account';
const idsOfAccounts = (name: string): string => `${name} accounts list --ids 2>/dev/null`;

/** The completion script for a shell, generated from the registered commands. */
export function completionScript(program: Command, shell: Shell): string {
  const words = wordsOf(program, []);
  if (shell === 'fish') return fish(program.name(), words);
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}${bash(program.name(), words)}`;
}

function wordsOf(command: Command, path: readonly string[]): readonly Words[] {
  const children = command.commands;
  const help: Word = { text: '--help', description: 'display help for command' };
  const options = command.options.flatMap(({ long, description }) => (long === undefined ? [] : [{ text: long, description }]));
  const own: Words = {
    path,
    commands: children.map((child) => ({ text: child.name(), description: child.description() })),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    options: [...options, help],
  };
  return [own, ...children.flatMap((child) => wordsOf(child, [...path, child.name()]))];
}

/** Words that are not commands are ignored. File names are completed where neither commands nor options match. */
function bash(name: string, all: readonly Words[]): string {
  const global = all[0]?.options.map(({ text }) => text) ?? [];
  const cases = all.map(({ path, commands, choices, options }) => {
    const texts = [...commands.map(({ text }) => text), ...choices, ...options.map(({ text }) => text)];
    return `    '${path.join(' ')}') words='${[...new Set([...texts, ...global])].join(' ')}' ;;`;
  });
  const paths = all.filter(({ path }) => path.length > 0).map(({ path }) => `'${path.join(' ')}'`);
  return `_${name}() {
  local path='' word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  if [ "\${COMP_WORDS[COMP_CWORD-1]}" = ${ACCOUNT} ]; then words=$(${idsOfAccounts(name)}); fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`;
}

function fish(name: string, all: readonly Words[]): string {
  const lines = all.flatMap(({ path, commands, choices, options }) => {
    const names = commands.map(({ text }) => text).join(' ');
    const seen = path.map((part) => `__fish_seen_subcommand_from ${part}`);
    const here =
      path.length === 0 && names !== ''
        ? ['__fish_use_subcommand']
        : [...seen, ...(names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`])];
    const condition = here.length === 0 ? '' : ` -n '${here.join('; and ')}'`;
    const always = path.length === 0 ? '' : ` -n '${seen.join('; and ')}'`;
    return [
      ...commands.map(({ text, description }) => `complete -c ${name} -f${condition} -a ${text} -d ${quoted(description)}`),
      ...choices.map((text) => `complete -c ${name} -f${always} -a ${text}`),
      ...options.map(({ text, description }) => {
        const values = text === ACCOUNT ? ` -x -a '(${idsOfAccounts(name)})'` : '';
        return `complete -c ${name}${always} -l ${text.slice(2)}${values} -d ${quoted(description)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
