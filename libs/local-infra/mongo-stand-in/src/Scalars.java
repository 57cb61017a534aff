import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Decimal128;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.Comparator;

/**
 * Values that an index stores unchanged, so that it can compare them without reading documents. Arrays and documents are excluded, and so
 * are numbers that a double cannot represent exactly or cannot order.
 */
final class Scalars {

  /** Compares BSON types, then values. Doubles are compared including their fractions, which the library ignores for large numbers. */
  static final Comparator<Object> ORDER = (left, right) -> {
    if (left instanceof String a && right instanceof String b) return a.compareTo(b);
    if (left instanceof Double a && right instanceof Double b) return a.compareTo(b);
    return ValueComparator.asc().compare(left, right);
  };

  /** Whether a value is scalar; null also represents a missing field. */
  static boolean isScalar(Object stored) {
    if (stored instanceof Decimal128) return false;
    Object value = Conditions.normal(stored);
    if (value instanceof Double number) return !number.isNaN();
    return value == null || value instanceof String || value instanceof Boolean || value instanceof Instant || value instanceof ObjectId;
  }

  private Scalars() {}
}
