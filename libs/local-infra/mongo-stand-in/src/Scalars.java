import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Decimal128;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.Comparator;

/**
 * Values that an index holds as they are, so that it can compare them without their documents. Arrays and documents are none,
 * nor are numbers that a double does not hold exactly or does not order.
 */
final class Scalars {

  /** The order of BSON types, then of values. Doubles are distinguished by their fractions, which the library drops for large ones. */
  static final Comparator<Object> ORDER = (left, right) -> {
    if (left instanceof String a && right instanceof String b) return a.compareTo(b);
    if (left instanceof Double a && right instanceof Double b) return a.compareTo(b);
    return ValueComparator.asc().compare(left, right);
  };

  /** Null stands for a missing field as well. */
  static boolean isScalar(Object stored) {
    if (stored instanceof Decimal128) return false;
    Object value = Conditions.normal(stored);
    if (value instanceof Double number) return !number.isNaN();
    return value == null || value instanceof String || value instanceof Boolean || value instanceof Instant || value instanceof ObjectId;
  }

  private Scalars() {}
}
