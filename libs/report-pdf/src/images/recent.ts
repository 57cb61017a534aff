/** Values that were used lately; the one that was not for longest makes room. */
export interface Recent<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Room for `limit` values. */
export function createRecent<Value>(limit: number): Recent<Value> {
  const values = new Map<string, Value>();
  const put = (key: string, value: Value): void => {
    values.delete(key);
    values.set(key, value);
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set(key, value) {
      put(key, value);
      const [oldest] = values.keys();
      if (values.size > limit && oldest !== undefined) values.delete(oldest);
    },
  };
}
