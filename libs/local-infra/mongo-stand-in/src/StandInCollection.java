import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.AbstractSynchronizedMongoCollection;
import de.bwaldvogel.mongo.backend.ArrayFilters;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.DocumentComparator;
import de.bwaldvogel.mongo.backend.DocumentWithPosition;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.IndexBuildFailedException;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.oplog.Oplog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** A collection stored in one map. Reads select an index and fetch only the requested documents. */
final class StandInCollection extends AbstractSynchronizedMongoCollection<Object> {

  /** Numbers are stored with their original type, so they cannot be looked up by value. */
  private static final Predicate<Object> NUMBER = Number.class::isInstance;

  private final MVMap<Object, Document> documents;
  private final ThreadLocal<Document> narrowing = ThreadLocal.withInitial(Document::new);

  /** Set while the lock is held for a change. Documents to be changed are then copied, because readers may still use the stored ones. */
  private boolean changing;

  /** Whether the indexes are filled; while a database is opened, they are only registered. */
  private boolean filled;

  StandInCollection(MongoDatabase database, String name, CollectionOptions options, MVMap<Object, Document> documents, CursorRegistry cursors) {
    super(database, name, options, cursors);
    this.documents = documents;
  }

  /** Runs an aggregation on the documents that its leading $match may select. */
  <T> T narrowedTo(Document match, Supplier<T> aggregation) {
    narrowing.set(match);
    try {
      return aggregation.get();
    } finally {
      narrowing.remove();
    }
  }

  @Override
  public Iterable<Document> queryAll() {
    return handleQuery(narrowing.get());
  }

  @Override
  protected QueryResult queryDocuments(Document query, Document order, int skip, int limit, int batchSize, Document projection) {
    Conditions conditions = new Conditions(query);
    Collection<Object> ids = getIdField() == null ? null : ids(conditions);
    // Positions of enumerated ids are exact, so this condition is not checked again: matching each document against a list of a thousand
    // ids would take longer than reading it.
    Document rest = ids != null && conditions.onlyEnumerates(getIdField()) ? without(query, getIdField()) : query;
    Predicate<Document> matching = document -> document != null && (rest.isEmpty() || documentMatchesQuery(document, rest));
    CoveredRead covered = ids != null ? null : CoveredRead.of(query, order, getIndexes());
    Stream<Document> found = covered != null
        ? bounded(covered.positions(), skip, limit).map(documents::get).filter(document -> document != null && covered.finds(document))
        : bounded(sorted(ids != null ? ids : candidates(conditions), matching, order).map(documents::get).filter(matching), skip, limit);
    Iterator<Document> matches = found.iterator();
    LazyCursor cursor = new LazyCursor(cursorRegistry.generateCursorId(), matches, batch -> project(batch, projection));
    if (batchSize == 0) return new QueryResult(cursor.takeAll());
    List<Document> first = cursor.takeDocuments(batchSize);
    if (cursor.isEmpty()) return new QueryResult(first);
    cursorRegistry.add(cursor);
    return new QueryResult(first, cursor);
  }

  private static Document without(Document query, String field) {
    Document rest = query.clone();
    rest.remove(field);
    return rest;
  }

  /** Returns the positions that the best index finds, otherwise all of them; copied to a list, so that later changes do not affect it. */
  private Collection<Object> candidates(Conditions conditions) {
    OrderedIndex best = null;
    for (Index<Object> index : getIndexes()) {
      if (index instanceof OrderedIndex ordered && ordered.usefulness(conditions) > (best == null ? 0 : best.usefulness(conditions))) best = ordered;
    }
    return best == null ? positions() : best.find(conditions);
  }

  private List<Object> positions() {
    return iterating(() -> new ArrayList<>(documents.keySet()));
  }

  /**
   * Makes the store keep the pages of an iteration; otherwise it would drop pages that are rewritten meanwhile, and the iteration would
   * fail.
   */
  private <T> T iterating(Supplier<T> iteration) {
    MVStore store = documents.getStore();
    MVStore.TxCounter version = store.registerVersionUsage();
    try {
      return iteration.get();
    } finally {
      store.deregisterVersionUsage(version);
    }
  }

  /** Returns the ids that the query enumerates or limits to a range; null if it does neither. */
  private Collection<Object> ids(Conditions conditions) {
    List<Object> points = conditions.points(getIdField());
    if (points != null && points.stream().noneMatch(NUMBER)) return points.stream().sorted(ValueComparator.asc()).toList();
    Conditions.Range range = conditions.range(getIdField());
    if (range == null || !(range.low() instanceof String low)) return null;
    return iterating(() -> {
      List<Object> ids = new ArrayList<>();
      for (Iterator<Object> all = documents.keyIterator(low); all.hasNext();) {
        if (!(all.next() instanceof String id) || (range.high() instanceof String high && id.compareTo(high) > 0)) break;
        ids.add(id);
      }
      return ids;
    });
  }

  /** Sorts positions. Only the sort fields are kept in memory, so that a long result need not be. */
  private Stream<Object> sorted(Collection<Object> positions, Predicate<Document> matching, Document order) {
    if (isNaturalDescending(order)) return positions.stream().sorted(Comparator.comparing(p -> p, ValueComparator.desc()));
    DocumentComparator comparator = deriveComparator(order);
    if (comparator == null) return positions.stream();
    record Entry(Document keys, Object position) {}
    return positions.stream()
        .map(position -> {
          Document document = documents.get(position);
          return matching.test(document) ? new Entry(sortKeys(document, order), position) : null;
        })
        .filter(Objects::nonNull).sorted(Comparator.comparing(Entry::keys, comparator)).map(Entry::position);
  }

  private static Document sortKeys(Document document, Document order) {
    Document keys = new Document();
    for (String path : order.keySet()) {
      String field = path.contains(".") ? path.substring(0, path.indexOf('.')) : path;
      if (document.containsKey(field)) keys.put(field, document.get(field));
    }
    return keys;
  }

  private static <T> Stream<T> bounded(Stream<T> stream, int skip, int limit) {
    Stream<T> skipped = skip > 0 ? stream.skip(skip) : stream;
    return limit > 0 ? skipped.limit(limit) : skipped;
  }

  private List<Document> project(List<Document> found, Document projection) {
    if (changing) return found.stream().map(Document::cloneDeeply).toList();
    if (projection == null || projection.isEmpty()) return found;
    SlicedLists sliced = SlicedLists.of(projection);
    if (sliced != null) return project(found.stream().map(sliced::cut).toList(), sliced.leftOut());
    return matchDocumentsFromStream(new Document(), found.stream(), 0, 0, 0, null, projection).collectDocuments();
  }

  @Override
  protected QueryResult matchDocuments(Document query, Document order, int skip, int limit, int batchSize, Document projection) {
    return queryDocuments(query, order, skip, limit, batchSize, projection);
  }

  @Override
  public synchronized Document updateDocuments(Document selector, Document update, ArrayFilters filters, boolean multi, boolean upsert, Oplog oplog) {
    return changing(() -> super.updateDocuments(selector, update, filters, multi, upsert, oplog));
  }

  @Override
  public synchronized Document findAndModify(Document query) {
    return changing(() -> super.findAndModify(query));
  }

  private <T> T changing(Supplier<T> change) {
    changing = true;
    try {
      return change.get();
    } finally {
      changing = false;
    }
  }

  @Override
  public synchronized void addIndex(Index<Object> index) {
    super.addIndex(index);
    if (!filled || !getIndexes().contains(index)) return;
    try {
      fill(List.of(index));
    } catch (MongoServerError duplicate) {
      super.dropIndex(index.getName());
      throw new IndexBuildFailedException(duplicate, this);
    }
  }

  /** Fills all indexes of an opened collection with a single scan. */
  synchronized void fillIndexes() {
    fill(getIndexes());
    filled = true;
  }

  private void fill(List<Index<Object>> indexes) {
    iterating(() -> {
      documents.forEach((position, document) -> {
        for (Index<Object> index : indexes) index.add(document, position, this);
      });
      return indexes;
    });
  }

  @Override
  public synchronized void dropIndex(String name) {
    super.dropIndex(name);
  }

  @Override
  public synchronized int count(Document query, int skip, int limit) {
    Integer known = countByIndex(query, skip, limit);
    return known != null ? known : super.count(query, skip, limit);
  }

  /**
   * Counts with an index; null if documents have to be read. If the limit is not positive, everything after the skipped documents is
   * counted.
   */
  synchronized Integer countByIndex(Document query, int skip, int limit) {
    boolean all = query == null || query.isEmpty();
    CoveredRead covered = all ? null : CoveredRead.of(query, null, getIndexes());
    if (!all && covered == null) return null;
    int left = Math.max(0, (all ? count() : covered.count()) - skip);
    return limit > 0 ? Math.min(left, limit) : left;
  }

  @Override
  protected Object addDocumentInternal(Document document) {
    Object position = getIdField() == null ? UUID.randomUUID() : Missing.ofNullable(document.get(getIdField()));
    documents.put(position, document);
    return position;
  }

  @Override
  protected void handleUpdate(Object position, Document before, Document after) {
    documents.put(position, after);
  }

  @Override
  protected void removeDocument(Object position) {
    documents.remove(position);
  }

  @Override
  protected Document getDocument(Object position) {
    return documents.get(position);
  }

  @Override
  protected Stream<DocumentWithPosition<Object>> streamAllDocumentsWithPosition() {
    return positions().stream().map(position -> new DocumentWithPosition<>(documents.get(position), position))
        .filter(found -> found.getDocument() != null);
  }

  @Override
  public int count() {
    return documents.size();
  }

  @Override
  protected boolean tracksDataSize() {
    return false; // Not needed, and it would encode every document again.
  }

  @Override
  protected int getDataSize() {
    return 0;
  }

  @Override
  protected void updateDataSize(int delta) {}
}
