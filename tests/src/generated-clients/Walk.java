import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import de.stechuhr.client.ApiClient;
import de.stechuhr.client.ApiException;
import de.stechuhr.client.ApiResponse;
import de.stechuhr.client.JSON;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.math.BigDecimal;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import okhttp3.Response;

/**
 * Executes all steps of a walk with the client that openapi-generator has generated: java Walk CLASSES WALK.json
 *
 * <p>Each response has to be parsed into its model, and serializing the model has to reproduce the response. Prints a line for each failed
 * step.
 */
public final class Walk {
  private static final String API = "de/stechuhr/client/api";
  private static final long ENOUGH = 10_000_000;

  private final Map<String, Operation> operations = new TreeMap<>();
  private final Map<String, String> known = new HashMap<>();
  private final JSON json;
  private Received received;

  private record Operation(Object api, Method method) {}

  private record Received(int status, String type, String body) {}

  public static void main(String[] args) throws Exception {
    JsonObject walk = JsonParser.parseString(Files.readString(Path.of(args[1]))).getAsJsonObject();
    List<String> failures = new Walk(Path.of(args[0]), walk).run(walk.getAsJsonArray("steps"));
    failures.forEach(System.out::println);
    System.exit(failures.isEmpty() ? 0 : 1);
  }

  private Walk(Path classes, JsonObject walk) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(walk.get("baseUrl").getAsString());
    client.setApiKeyPrefix("Token");
    client.setApiKey(walk.get("token").getAsString());
    client.setReadTimeout((int) Duration.ofMinutes(1).toMillis());
    client.setHttpClient(
        client.getHttpClient().newBuilder().addInterceptor(chain -> seen(chain.proceed(chain.request()))).build());
    this.json = new JSON();
    try (var files = Files.list(classes.resolve(API))) {
      for (Path file : (Iterable<Path>) files.filter(Walk::isApi)::iterator) {
        Class<?> type = Class.forName((API + "/" + file.getFileName()).replace('/', '.').replace(".class", ""));
        Object api = type.getConstructor(ApiClient.class).newInstance(client);
        for (Method method : type.getMethods()) {
          if (method.getName().endsWith("WithHttpInfo"))
            operations.put(method.getName().replace("WithHttpInfo", ""), new Operation(api, method));
        }
      }
    }
  }

  private static boolean isApi(Path file) {
    return FileSystems.getDefault().getPathMatcher("glob:*Api.class").matches(file.getFileName());
  }

  private Response seen(Response response) throws java.io.IOException {
    String type = response.header("content-type", "").split(";")[0];
    received = new Received(response.code(), type, response.peekBody(ENOUGH).string());
    return response;
  }

  private List<String> run(JsonArray steps) {
    List<String> failures = new ArrayList<>();
    Set<String> called = new HashSet<>();
    for (int index = 0; index < steps.size(); index++) {
      JsonObject step = steps.get(index).getAsJsonObject();
      String name = step.get("operation").getAsString();
      called.add(name);
      try {
        judge(step, call(name, step));
        if (step.has("keep")) known.put(step.get("keep").getAsString(), idOf(received.body()));
      } catch (Exception problem) {
        failures.add("step " + (index + 1) + ", " + name + ": " + problem);
      }
    }
    Set<String> uncalled = new TreeSet<>(operations.keySet());
    uncalled.removeAll(called);
    uncalled.forEach(operation -> failures.add(operation + " is not called"));
    if (failures.isEmpty()) System.out.println(steps.size() + " calls of " + operations.size() + " operations");
    return failures;
  }

  /** Returns the parsed response; null for an error status, for which the client throws an exception. */
  private Object call(String name, JsonObject step) throws Exception {
    Operation operation = operations.get(name);
    if (operation == null) throw new IllegalStateException("the client has no such operation");
    Map<String, JsonElement> given = new HashMap<>();
    for (String part : List.of("path", "query")) {
      if (step.has(part)) step.getAsJsonObject(part).asMap().forEach((key, value) -> given.put(camelCase(key), value));
    }
    JsonElement body = step.get("body");
    List<Object> arguments = new ArrayList<>();
    for (Parameter parameter : operation.method().getParameters()) {
      JsonElement value = given.remove(parameter.getName());
      boolean isBody = parameter.getType().getSimpleName().endsWith("Request");
      arguments.add(valueOf(parameter, isBody ? body : value));
    }
    if (!given.isEmpty()) throw new IllegalStateException("the client has no " + given.keySet() + " among " + Arrays.toString(operation.method().getParameters()));
    try {
      return ((ApiResponse<?>) operation.method().invoke(operation.api(), arguments.toArray())).getData();
    } catch (InvocationTargetException thrown) {
      int expected = step.get("status").getAsInt();
      if (thrown.getCause() instanceof ApiException error && error.getCode() == expected && expected >= 400) return null;
      throw thrown.getCause() instanceof Exception cause ? cause : thrown;
    }
  }

  private Object valueOf(Parameter parameter, JsonElement value) {
    if (value == null) return null;
    String text = value.toString();
    for (Map.Entry<String, String> id : known.entrySet()) text = text.replace("{" + id.getKey() + "}", id.getValue());
    return json.getGson().fromJson(text, parameter.getParameterizedType());
  }

  private void judge(JsonObject step, Object parsed) throws Exception {
    int status = step.get("status").getAsInt();
    if (received.status() != status) throw new IllegalStateException(received.status() + ", not " + status + ": " + received.body());
    if (status >= 400) return;
    switch (received.type()) {
      case "" -> require(status == 204 && parsed == null && received.body().isEmpty(), "a body where there is none");
      case "application/json" -> {
        JsonElement raw = JsonParser.parseString(received.body());
        JsonElement model = JsonParser.parseString(json.serialize(parsed));
        require(same(model, raw), "the model has " + model + ", and the answer was " + raw);
      }
      case "text/html" -> require(received.body().equals(parsed), "the page is not the parsed one");
      default -> require(parsed instanceof File file && Files.readString(file.toPath(), java.nio.charset.StandardCharsets.ISO_8859_1).startsWith("%PDF-"), "no file");
    }
  }

  private static void require(boolean holds, String problem) {
    if (!holds) throw new IllegalStateException(problem);
  }

  /** Compares two JSON values. A null member equals a missing one, because this client omits it; numbers are compared by value. */
  private static boolean same(JsonElement a, JsonElement b) {
    if (a.isJsonArray() && b.isJsonArray()) {
      JsonArray left = a.getAsJsonArray();
      JsonArray right = b.getAsJsonArray();
      if (left.size() != right.size()) return false;
      for (int index = 0; index < left.size(); index++) if (!same(left.get(index), right.get(index))) return false;
      return true;
    }
    if (a.isJsonObject() && b.isJsonObject()) {
      Set<String> names = new HashSet<>(a.getAsJsonObject().keySet());
      names.addAll(b.getAsJsonObject().keySet());
      return names.stream().allMatch(name -> same(member(a, name), member(b, name)));
    }
    if (a.isJsonPrimitive() && b.isJsonPrimitive() && a.getAsJsonPrimitive().isNumber() && b.getAsJsonPrimitive().isNumber())
      return new BigDecimal(a.getAsString()).compareTo(new BigDecimal(b.getAsString())) == 0;
    return a.equals(b);
  }

  private static JsonElement member(JsonElement object, String name) {
    JsonElement value = object.getAsJsonObject().get(name);
    return value == null ? JsonNull.INSTANCE : value;
  }

  private static String idOf(String body) {
    JsonObject answered = JsonParser.parseString(body).getAsJsonObject();
    JsonObject entry = answered.has("results") ? answered.getAsJsonArray("results").get(0).getAsJsonObject() : answered;
    return entry.get("id").getAsString();
  }

  private static String camelCase(String name) {
    StringBuilder joined = new StringBuilder();
    for (String word : name.split("_")) joined.append(joined.isEmpty() ? word : titleCase(word));
    return joined.toString();
  }

  private static String titleCase(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
