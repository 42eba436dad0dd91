package fairlead.testing;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.junit.platform.commons.support.AnnotationSupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A property: a test that holds for every seed, which is its first argument. It runs with the seeds
 * from 0 on. {@code -Dfairlead.seeds=N} runs N of them instead, {@code -Dfairlead.seed=N} that one
 * alone. {@code ./check} knows them by their name in the reports, and counts them apart from tests.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "seed {0}")
@ArgumentsSource(Seeds.Source.class)
public @interface Seeds {
    /** How many, unless somebody asks for another number. */
    int value();

    /** Seeds that once found a mistake, and are run whatever the number. */
    long[] also() default {};

    /** Where the seeds come from. */
    final class Source implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            Method test = context.getRequiredTestMethod();
            Seeds asked = AnnotationSupport.findAnnotation(test, Seeds.class).orElseThrow();
            return seeds(asked).mapToObj(Arguments::of);
        }

        private static LongStream seeds(Seeds asked) {
            Optional<Long> one = OneSeed.asked();
            if (one.isPresent()) return LongStream.of(one.get());
            long count = Long.getLong("fairlead.seeds", asked.value());
            LongStream old = LongStream.of(asked.also()).filter(seed -> seed >= count);
            return LongStream.concat(LongStream.range(0, count), old);
        }
    }
}
