import type { Part, Provider, Recipe, Surroundings } from './provider.js';

/** The provider that was chosen. */
export interface Choice<A> {
  readonly provider: Provider<A>;
  readonly recipe: Recipe<A>;
  /** Why earlier providers were not chosen, in their order. */
  readonly passedOver: readonly string[];
}

/**
 * Chooses the first provider of a server that works here.
 * @param preferred the provider that wrote the existing data; it is tried right after the environment, so that a newly started Docker engine does not
 * hide the data
 */
export async function choose<A>(part: Part<A>, surroundings: Surroundings, preferred?: string): Promise<Choice<A>> {
  const passedOver: string[] = [];
  for (const provider of ordered(part.providers, preferred)) {
    try {
      return { provider, recipe: await provider.prepare(surroundings), passedOver };
    } catch (error) {
      passedOver.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`${part.label} is not available here: ${passedOver.join('; ')}.\n${part.advice}`);
}

function ordered<A>(providers: readonly Provider<A>[], preferred: string | undefined): readonly Provider<A>[] {
  const rank = ({ id }: Provider<A>): number => (id === 'environment' ? 0 : id === preferred ? 1 : 2);
  return providers.toSorted((left, right) => rank(left) - rank(right));
}
