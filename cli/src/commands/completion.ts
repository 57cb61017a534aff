import { Argument, type Command } from 'commander';
import { completionScript, shells, type Shell } from '../completion/script.js';

const EXAMPLES = `
Prints a script that completes commands and options of "stechuhr" (an alias of "npm run -s stechuhr --" in a checkout, for example).

Examples:
  $ stechuhr completion bash > ~/.local/share/bash-completion/completions/stechuhr
  $ echo 'source <(stechuhr completion zsh)' >> ~/.zshrc
  $ stechuhr completion fish > ~/.config/fish/completions/stechuhr.fish`;

export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => {
      process.stdout.write(completionScript(program, shell));
    });
}
