import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A query that an index covers: the matching documents and their order follow from the index, without reading documents. */
final class CoveredRead {

  private final OrderedIndex index;
  private final Conditions conditions;
  private final Predicate<List<Object>> test;
  private final Comparator<List<Object>> order;

  private CoveredRead(OrderedIndex index, Conditions conditions, Predicate<List<Object>> test, Comparator<List<Object>> order) {
    this.index = index;
    this.conditions = conditions;
    this.test = test;
    this.order = order;
  }

  /** Returns null if no index contains all fields of the query and the order, or if another index finds the documents faster. */
  static CoveredRead of(Document query, Document order, Iterable<Index<Object>> indexes) {
    Demands demands = Demands.of(query);
    Set<String> sorted = order == null ? Set.of() : order.keySet();
    if (demands == null || (demands.paths().isEmpty() && sorted.isEmpty())) return null;
    if (order != null && !order.values().stream().allMatch(Number.class::isInstance)) return null;
    Conditions conditions = new Conditions(query);
    OrderedIndex best = null;
    int fastest = 0;
    for (Index<Object> candidate : indexes) {
      if (!(candidate instanceof OrderedIndex index)) continue;
      int usefulness = index.usefulness(conditions);
      fastest = Math.max(fastest, usefulness);
      boolean covers = index.knows(demands.paths()) && index.knows(sorted);
      if (covers && (best == null || usefulness > best.usefulness(conditions))) best = index;
    }
    if (best == null || best.usefulness(conditions) < fastest) return null;
    return new CoveredRead(best, conditions, demands.onKeys(best.paths()), comparator(best.paths(), order));
  }

  private static Comparator<List<Object>> comparator(List<String> paths, Document order) {
    Comparator<List<Object>> all = null;
    for (Map.Entry<String, Object> entry : order == null ? Set.<Map.Entry<String, Object>>of() : order.entrySet()) {
      int at = paths.indexOf(entry.getKey());
      Comparator<List<Object>> ascending = (left, right) -> Scalars.ORDER.compare(left.get(at), right.get(at));
      Comparator<List<Object>> one = ((Number) entry.getValue()).intValue() > 0 ? ascending : ascending.reversed();
      all = all == null ? one : all.thenComparing(one);
    }
    return all;
  }

  /** Returns the positions in the requested order; documents with equal sort values keep the order of the index. */
  Stream<Object> positions() {
    record Entry(List<Object> keys, Object position) {}
    List<Entry> found = new ArrayList<>();
    index.visit(conditions, (keys, positions) -> {
      if (test.test(keys)) for (Object position : positions) found.add(new Entry(keys, position));
    });
    if (order != null) found.sort(Comparator.comparing(Entry::keys, order));
    return found.stream().map(Entry::position);
  }

  int count() {
    int[] count = {0};
    index.visit(conditions, (keys, positions) -> count[0] += test.test(keys) ? positions.size() : 0);
    return count[0];
  }

  /** Whether the query still matches a document that may have changed meanwhile. */
  boolean finds(Document document) {
    return index.entriesOf(document).stream().anyMatch(test);
  }
}
