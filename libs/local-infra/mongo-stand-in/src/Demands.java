import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A query that only compares single paths with scalars, so that it can be evaluated from index keys. */
final class Demands {

  private final Map<String, Predicate<Object>> tests = new LinkedHashMap<>();

  /** Returns null for other queries. */
  static Demands of(Document query) {
    Demands demands = new Demands();
    return demands.understands(query) ? demands : null;
  }

  Set<String> paths() {
    return tests.keySet();
  }

  /** Returns a test for index keys of these paths, which must include all paths of the query. */
  Predicate<List<Object>> onKeys(List<String> keys) {
    return tests.entrySet().stream().<Predicate<List<Object>>>map(entry -> {
      int at = keys.indexOf(entry.getKey());
      return values -> entry.getValue().test(values.get(at));
    }).reduce(values -> true, Predicate::and);
  }

  private boolean understands(Document query) {
    for (Map.Entry<String, Object> entry : query.entrySet()) {
      if (!(entry.getKey().equals("$and") ? understandsAll(entry.getValue()) : understands(entry.getKey(), entry.getValue()))) return false;
    }
    return true;
  }

  private boolean understandsAll(Object parts) {
    return parts instanceof Collection<?> queries && !queries.isEmpty()
        && queries.stream().allMatch(part -> part instanceof Document query && understands(query));
  }

  private boolean understands(String path, Object condition) {
    Predicate<Object> test = path.startsWith("$") ? null : testOf(condition);
    if (test != null) tests.merge(path, test, Predicate::and);
    return test != null;
  }

  private static Predicate<Object> testOf(Object condition) {
    if (isDefinite(condition)) return Conditions.normal(condition)::equals;
    if (!(condition instanceof Document operators) || operators.isEmpty()) return null;
    List<Predicate<Object>> each = new ArrayList<>();
    for (Map.Entry<String, Object> operator : operators.entrySet()) each.add(testOf(operator.getKey(), operator.getValue()));
    return each.contains(null) ? null : each.stream().reduce(value -> true, Predicate::and);
  }

  private static Predicate<Object> testOf(String operator, Object operand) {
    if (operator.equals("$in")) return testOfList(operand);
    if (!isDefinite(operand)) return null;
    Object bound = Conditions.normal(operand);
    return switch (operator) {
      case "$eq" -> bound::equals;
      case "$gt" -> compared(bound, order -> order > 0);
      case "$gte" -> compared(bound, order -> order >= 0);
      case "$lt" -> compared(bound, order -> order < 0);
      case "$lte" -> compared(bound, order -> order <= 0);
      default -> null;
    };
  }

  private static Predicate<Object> testOfList(Object operand) {
    if (!(operand instanceof Collection<?> values) || !values.stream().allMatch(Demands::isDefinite)) return null;
    return values.stream().map(Conditions::normal).collect(Collectors.toSet())::contains;
  }

  /** Compares with a bound; values of other types are outside of every range. */
  private static Predicate<Object> compared(Object bound, IntPredicate wanted) {
    return value -> value != null && value.getClass() == bound.getClass() && wanted.test(Scalars.ORDER.compare(value, bound));
  }

  /** Null is not definite, because it also matches documents without the field. */
  private static boolean isDefinite(Object value) {
    return value != null && Scalars.isScalar(value);
  }

  private Demands() {}
}
