import java.io.FileInputStream;
import java.util.stream.Collectors;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** Validates files against PDF/A-2b. Prints a line for each violated rule and exits with code 1 if there is any. */
public class Validate {
  private static final int MAX_FAILURES = 20;

  public static void main(String[] files) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    var failed = false;
    for (var file : files) {
      var flavour = PDFAFlavour.PDFA_2_B;
      try (var parser = Foundries.defaultInstance().createParser(new FileInputStream(file), flavour);
          var validator = Foundries.defaultInstance().createValidator(flavour, MAX_FAILURES, false, true, false)) {
        var result = validator.validate(parser);
        if (result.isCompliant()) continue;
        failed = true;
        System.out.println(file + " is not PDF/A-2b:\n" + result.getTestAssertions().stream()
            .filter(assertion -> assertion.getStatus() == TestAssertion.Status.FAILED)
            .map(Validate::line)
            .collect(Collectors.joining("\n")));
      }
    }
    System.exit(failed ? 1 : 0);
  }

  private static String line(TestAssertion assertion) {
    var rule = assertion.getRuleId();
    return "  " + rule.getClause() + "-" + rule.getTestNumber() + ": " + assertion.getMessage() + " (" + assertion.getLocation().getContext() + ")";
  }
}
