import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { createContextKey, ROOT_CONTEXT } from '@opentelemetry/api';
import { ContextManager } from './context-manager.js';

const NAME = createContextKey('name');
const named = (name: string) => ROOT_CONTEXT.setValue(NAME, name);

const manager = new ContextManager().enable();
const active = () => manager.active().getValue(NAME);

describe('a bound emitter', () => {
  const bound = named('bound');

  it.each<readonly [string, (emitter: EventEmitter, listener: () => void) => void]>([
    ['on', (emitter, listener) => emitter.on('event', listener)],
    ['addListener', (emitter, listener) => emitter.addListener('event', listener)],
    ['once', (emitter, listener) => emitter.once('event', listener)],
    ['prependListener', (emitter, listener) => emitter.prependListener('event', listener)],
    ['prependOnceListener', (emitter, listener) => emitter.prependOnceListener('event', listener)],
  ])('runs listeners of %s in its context, whoever emits the event', (_, listen) => {
    const emitter = manager.bind(bound, new EventEmitter());
    const seen: unknown[] = [];
    listen(emitter, () => seen.push(active()));
    for (const emitting of [ROOT_CONTEXT, named('other'), bound]) manager.with(emitting, () => emitter.emit('event'));
    expect(new Set(seen)).toEqual(new Set(['bound']));
    expect(active()).toBeUndefined();
  });

  it('runs earlier listeners in its context, too', () => {
    const emitter = new EventEmitter();
    const seen: unknown[] = [];
    emitter.on('event', () => seen.push(active()));
    manager.bind(bound, emitter).emit('event');
    expect(seen).toEqual(['bound']);
  });

  it('keeps its first context', () => {
    const emitter = manager.bind(named('second'), manager.bind(bound, new EventEmitter()));
    const seen: unknown[] = [];
    emitter.on('event', () => seen.push(active()));
    for (const emitting of [ROOT_CONTEXT, named('second'), bound]) manager.with(emitting, () => emitter.emit('event'));
    expect(seen).toEqual(['bound', 'bound', 'bound']);
  });

  it('is otherwise an emitter like any other', () => {
    const emitter = manager.bind(bound, new EventEmitter());
    const heard: unknown[] = [];
    const listener = (...values: unknown[]) => void heard.push(values);
    expect(emitter.emit('event')).toBe(false);
    emitter.on('event', listener);
    expect(emitter.emit('event', 1, 'two')).toBe(true);
    emitter.off('event', listener);
    emitter.emit('event', 3);
    expect(heard).toEqual([[1, 'two']]);
    expect(() => emitter.emit('error', new Error('unheard'))).toThrow('unheard');
  });
});

it('a bound function runs in its context', () => {
  expect(manager.bind(named('bound'), active)()).toBe('bound');
});
