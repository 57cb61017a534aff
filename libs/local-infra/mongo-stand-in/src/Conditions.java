import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The conditions of a query on single paths that an index can use. Conditions that are not understood are ignored, because an index may
 * return too many positions (each document is matched against the whole query afterwards), but never too few.
 */
final class Conditions {

  /** A range with inclusive bounds; a missing bound is null. */
  record Range(Object low, Object high) {}

  private final Map<String, List<Object>> byPath = new HashMap<>();
  private final Map<String, List<Object>> points = new HashMap<>();

  Conditions(Document query) {
    collect("", query);
  }

  private void collect(String prefix, Document query) {
    for (Map.Entry<String, Object> entry : query.entrySet()) {
      if (entry.getKey().equals("$and")) {
        for (Object part : (Collection<?>) entry.getValue()) collect(prefix, (Document) part);
      } else if (!entry.getKey().startsWith("$")) {
        String path = prefix + entry.getKey();
        byPath.computeIfAbsent(path, p -> new ArrayList<>()).add(entry.getValue() == null ? new Document() : entry.getValue());
        if (entry.getValue() instanceof Document operators && operators.get("$elemMatch") instanceof Document element) {
          collect(path + ".", element);
        }
      }
    }
  }

  /** Returns the values of which the path must have one; null if the query does not enumerate them. */
  List<Object> points(String path) {
    return points.computeIfAbsent(path, this::readPoints);
  }

  private List<Object> readPoints(String path) {
    for (Object condition : byPath.getOrDefault(path, List.of())) {
      if (isPlain(condition)) return List.of(normal(condition));
      if (!(condition instanceof Document operators)) continue;
      if (operators.containsKey("$eq") && isPlain(operators.get("$eq"))) return List.of(normal(operators.get("$eq")));
      if (operators.get("$in") instanceof Collection<?> values && values.stream().allMatch(Conditions::isPlain)) {
        return values.stream().map(Conditions::normal).distinct().toList();
      }
    }
    return null;
  }

  /** Whether points() covers all conditions of the query on the path. */
  boolean onlyEnumerates(String path) {
    List<Object> conditions = byPath.getOrDefault(path, List.of());
    if (conditions.size() != 1 || points(path) == null) return false;
    return !(conditions.get(0) instanceof Document operators) || operators.size() == 1;
  }

  /** Returns the range of the path's value; null if the query has none. */
  Range range(String path) {
    for (Object condition : byPath.getOrDefault(path, List.of())) {
      if (!(condition instanceof Document operators)) continue;
      Object low = operators.getOrDefault("$gte", operators.get("$gt"));
      Object high = operators.getOrDefault("$lte", operators.get("$lt"));
      if (isPlain(low) || isPlain(high)) return new Range(isPlain(low) ? normal(low) : null, isPlain(high) ? normal(high) : null);
    }
    return null;
  }

  boolean demandsExistence(String path) {
    return byPath.getOrDefault(path, List.of()).stream()
        .anyMatch(condition -> condition instanceof Document operators && Boolean.TRUE.equals(operators.get("$exists")));
  }

  /** Whether the conditions of the query on a path imply a condition of a partial index; false if this is not obvious. */
  boolean imply(String path, Object condition) {
    if (isPlain(condition)) return List.of(normal(condition)).equals(points(path));
    if (!(condition instanceof Document operators) || operators.size() != 1) return false;
    Object lowest = operators.get("$gt");
    if (isPlain(lowest)) return demandsMore(path, normal(lowest));
    boolean exists = Boolean.TRUE.equals(operators.get("$exists"));
    return exists && (points(path) != null || range(path) != null || demandsExistence(path));
  }

  private boolean demandsMore(String path, Object lowest) {
    return byPath.getOrDefault(path, List.of()).stream().anyMatch(condition -> {
      Object low = condition instanceof Document operators ? operators.get("$gt") : null;
      if (!isPlain(low)) return false;
      Object own = normal(low);
      return own.getClass() == lowest.getClass() && Scalars.ORDER.compare(own, lowest) >= 0;
    });
  }

  /** Null is not a plain value, because it also matches documents without the field. */
  private static boolean isPlain(Object value) {
    return value != null && !(value instanceof Document) && !(value instanceof Collection)
        && !BsonRegularExpression.isRegularExpression(value);
  }

  /** Normalises a value: numbers are compared by value, regardless of their BSON type. */
  static Object normal(Object value) {
    if (value instanceof String || value instanceof Boolean || value instanceof Instant) return value;
    if (value instanceof Integer number) return number.doubleValue();
    return new KeyValue(value).normalized().get(0);
  }
}
