import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.DuplicateKeyError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * A secondary index in memory. It supports single values or $in on a prefix of its keys, followed by a range on the next key. It is unique,
 * sparse and partial as in MongoDB, and has one entry for each element of an array. It is guarded by the lock of its collection.
 */
final class OrderedIndex extends Index<Object> {

  /** Greater than every value, so that [prefix, ABOVE_ALL] ends the range of a prefix. */
  private static final Object ABOVE_ALL = new Object();

  /** With more combinations of $in lists than this, the remaining keys are left to the matcher. */
  private static final int MAX_PREFIXES = 10_000;

  private static final Comparator<List<Object>> ORDER = (left, right) -> {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      if (left.get(i) == ABOVE_ALL || right.get(i) == ABOVE_ALL) return left.get(i) == right.get(i) ? 0 : left.get(i) == ABOVE_ALL ? 1 : -1;
      int compared = Scalars.ORDER.compare(left.get(i), right.get(i));
      if (compared != 0) return compared;
    }
    return Integer.compare(left.size(), right.size());
  };

  private final TreeMap<List<Object>, Set<Object>> positions = new TreeMap<>(ORDER);
  private final List<String> paths;

  /** The fields of a document on which its entries depend. */
  private final List<String> fields;
  private final boolean unique;

  /** The filter of a partial index; null if it contains all documents. */
  private final Document filter;

  /** Whether every document in its history had a scalar at each path, so that the entries contain all values. */
  private boolean scalar = true;

  OrderedIndex(String name, List<IndexKey> keys, boolean sparse, boolean unique, Document filter) {
    super(name, keys, sparse);
    this.paths = keys();
    this.unique = unique;
    this.filter = filter;
    Stream<String> demanded = filter == null ? Stream.of() : filter.keySet().stream();
    this.fields = Stream.concat(paths.stream(), demanded).map(path -> path.split("\\.", 2)[0]).distinct().toList();
  }

  /**
   * Returns a score for how well the index serves a query: 0 if not at all; otherwise 4 for each key with known values, 2 for a range, and
   * 1 for a sparse index, which has fewer entries.
   */
  int usefulness(Conditions conditions) {
    if (filter != null && !filter.entrySet().stream().allMatch(entry -> conditions.imply(entry.getKey(), entry.getValue()))) return 0;
    int known = 0;
    while (known < paths.size() && conditions.points(paths.get(known)) != null) known++;
    int score = 4 * known + (known < paths.size() && conditions.range(paths.get(known)) != null ? 2 : 0);
    if (score > 0) return score + (isSparse() ? 1 : 0);
    return isSparse() && paths.stream().anyMatch(conditions::demandsExistence) ? 1 : 0;
  }

  List<String> paths() {
    return paths;
  }

  /** Whether the entries contain the values of all documents at these paths. */
  boolean knows(Collection<String> demanded) {
    return scalar && !isSparse() && filter == null && paths.containsAll(demanded);
  }

  /** Returns the positions of all documents that may match the conditions, in the order of the keys. */
  Collection<Object> find(Conditions conditions) {
    Set<Object> found = new LinkedHashSet<>();
    visit(conditions, (keys, positions) -> found.addAll(positions));
    return found;
  }

  /** Visits all entries of documents that may match the conditions, in the order of the keys. */
  void visit(Conditions conditions, BiConsumer<List<Object>, Set<Object>> visitor) {
    List<List<Object>> prefixes = List.of(List.of());
    int known = 0;
    for (; known < paths.size(); known++) {
      List<Object> points = conditions.points(paths.get(known));
      if (points == null || (known > 0 && prefixes.size() * points.size() > MAX_PREFIXES)) break;
      prefixes = combine(prefixes, points.stream().sorted(Scalars.ORDER).toList());
    }
    Conditions.Range range = known < paths.size() ? conditions.range(paths.get(known)) : null;
    for (List<Object> prefix : prefixes) {
      List<Object> from = from(prefix, range);
      List<Object> to = to(prefix, range);
      if (ORDER.compare(from, to) <= 0) positions.subMap(from, true, to, true).forEach(visitor);
    }
  }

  private static List<Object> from(List<Object> prefix, Conditions.Range range) {
    return range == null || range.low() == null ? prefix : append(prefix, range.low());
  }

  private static List<Object> to(List<Object> prefix, Conditions.Range range) {
    return append(range == null || range.high() == null ? prefix : append(prefix, range.high()), ABOVE_ALL);
  }

  private static List<Object> append(List<Object> list, Object value) {
    List<Object> longer = new ArrayList<>(list);
    longer.add(value);
    return longer;
  }

  private static List<List<Object>> combine(List<List<Object>> prefixes, List<Object> values) {
    List<List<Object>> combined = new ArrayList<>(prefixes.size() * values.size());
    for (List<Object> prefix : prefixes) for (Object value : values) combined.add(append(prefix, value));
    return combined;
  }

  /** Returns the entries of a document: one for each combination of its values; none if a sparse or partial index does not contain it. */
  Collection<List<Object>> entriesOf(Document document) {
    return holds(document) ? entriesOf(valuesOf(document)) : List.of();
  }

  private boolean holds(Document document) {
    return filter == null || new DefaultQueryMatcher().matches(document, filter);
  }

  private List<Object> valuesOf(Document document) {
    List<Object> values = new ArrayList<>(paths.size());
    for (String path : paths) values.add(Utils.getSubdocumentValueCollectionAware(document, path));
    return values;
  }

  private Collection<List<Object>> entriesOf(List<Object> valuesAtPaths) {
    List<List<Object>> entries = List.of(List.of());
    boolean present = false;
    for (Object value : valuesAtPaths) {
      Collection<?> values = value instanceof Collection<?> elements ? elements : List.of(value == null ? new Nothing() : value);
      present |= values.stream().anyMatch(element -> !(element instanceof Missing));
      entries = combine(entries, normalized(values));
    }
    if (isSparse() && !present) return List.of();
    return entries.size() == 1 ? entries : new LinkedHashSet<>(entries);
  }

  /** Represents an explicit null, which a sparse index contains, unlike a missing field. */
  private record Nothing() {}

  private static List<Object> normalized(Collection<?> values) {
    List<Object> normal = new ArrayList<>(values.size());
    for (Object value : values) normal.add(value instanceof Nothing ? null : Conditions.normal(value));
    if (normal.isEmpty()) normal.add(null);
    return normal;
  }

  @Override
  public void checkAdd(Document document, MongoCollection<Object> collection) {
    check(document, null, collection);
  }

  @Override
  public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {
    check(after, IdIndex.positionOf(before), collection);
  }

  private void check(Document document, Object own, MongoCollection<Object> collection) {
    if (!unique) return;
    for (List<Object> entry : entriesOf(document)) {
      Set<Object> holders = positions.get(entry);
      if (holders != null && !(own != null && holders.size() == 1 && holders.contains(own))) {
        throw new DuplicateKeyError(this, collection, getKeys(), new KeyValue(entry));
      }
    }
  }

  @Override
  public void add(Document document, Object position, MongoCollection<Object> collection) {
    if (!holds(document)) return;
    check(document, position, collection);
    List<Object> values = valuesOf(document);
    noteKinds(values);
    for (List<Object> entry : entriesOf(values)) positions.merge(entry, Set.of(position), OrderedIndex::union);
  }

  private void noteKinds(List<Object> values) {
    scalar = scalar && values.stream().allMatch(Scalars::isScalar);
  }

  private static Set<Object> union(Set<Object> present, Set<Object> added) {
    if (present.containsAll(added)) return present;
    Set<Object> both = present instanceof LinkedHashSet ? present : new LinkedHashSet<>(present);
    both.addAll(added);
    return both;
  }

  @Override
  public Object remove(Document document) {
    Object position = IdIndex.positionOf(document);
    for (List<Object> entry : entriesOf(document)) {
      positions.computeIfPresent(entry, (key, holders) -> {
        if (holders.size() == 1) return holders.contains(position) ? null : holders;
        holders.remove(position);
        return holders;
      });
    }
    return position;
  }

  @Override
  public void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection) {
    if (fields.stream().allMatch(field -> isSame(before, after, field))) return; // Most updates change few fields, and documents are large.
    noteKinds(valuesOf(after)); // An array with one element has the same entry as the element.
    if (entriesOf(before).equals(entriesOf(after))) return;
    remove(before);
    add(after, position, collection);
  }

  /** Whether a field is unchanged. Operators of a filter are not fields and may refer to any field, so they always count as changed. */
  private static boolean isSame(Document before, Document after, String field) {
    return !field.startsWith("$") && before.containsKey(field) == after.containsKey(field) && Objects.equals(before.get(field), after.get(field));
  }

  @Override
  public Object getPosition(Document document) {
    return null; // The primary index provides it.
  }

  @Override
  public boolean canHandle(Document query) {
    return false; // StandInCollection selects the index by usefulness.
  }

  @Override
  public Iterable<Object> getPositions(Document query) {
    return find(new Conditions(query));
  }

  @Override
  public boolean hasSameOptions(Index<?> other) {
    return super.hasSameOptions(other) && other.isUnique() == unique && other instanceof OrderedIndex ordered && Objects.equals(ordered.filter, filter)
        && toIndexDescription().get("key").equals(other.toIndexDescription().get("key"));
  }

  /** Prevents the library from building the index with two scans; StandInCollection builds it with one. */
  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public boolean isUnique() {
    return unique;
  }

  @Override
  public long getCount() {
    return positions.size();
  }

  @Override
  public long getDataSize() {
    return 0;
  }

  @Override
  public void drop() {
    positions.clear();
    scalar = true;
  }
}
